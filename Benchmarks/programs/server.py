"""Runs a real nginx on a free port, optionally behind a slow link."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from measure import BenchError

CONFIGURATION = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
worker_processes 1; worker_rlimit_nofile 4096;
events {{ worker_connections 1024; }}
http {{
    types {{ image/jpeg jpg; image/png png; text/plain txt; }}
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{ listen {address}:{port}; root {root}; expires 1h; }}
}}
"""


def tool(name):
    """Returns the path of a program, also from folders that only root has in PATH."""
    found = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if found is None:
        raise BenchError(f"{name} is missing; Scripts/setup.sh bench installs it")
    return found


class Server:
    """nginx that serves a folder during a `with` block, behind the SlowLink `link` if there is one."""

    CONFIGURATION = CONFIGURATION

    def __init__(self, root, scratch, link=None):
        self.root, self.folder, self.link = Path(root), Path(scratch) / "nginx", link
        self.address = link.server_address if link else "127.0.0.1"

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://{self.address}:{self.port}"
        file = self.write_configuration()
        inside = self.link.inside if self.link else []
        self.process = subprocess.Popen(
            [*inside, tool("nginx"), "-c", str(file), "-e", str(self.folder / "error.log")],
            stderr=subprocess.DEVNULL)
        self.wait_until_it_answers()
        return self

    def wait_until_it_answers(self):
        """Waits up to five seconds until nginx accepts connections."""
        limit = time.monotonic() + 5
        while time.monotonic() < limit and self.process.poll() is None:
            try:
                socket.create_connection((self.address, self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        self.__exit__()
        log = self.folder / "error.log"
        raise BenchError("nginx does not answer\n" + (log.read_text()[-600:] if log.exists() else ""))

    def write_configuration(self):
        """Writes the configuration of nginx, and returns its path."""
        file = self.folder / "nginx.conf"
        # A worker that runs as another user could not read a checkout in a home folder.
        user = "user root;" if os.geteuid() == 0 else ""
        file.write_text(self.CONFIGURATION.format(folder=self.folder, root=self.root, user=user,
                                                  address=self.address, port=self.port))
        return file

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ManyServers(Server):
    """One nginx that acts as many https servers, one per IP address."""

    CONFIGURATION = CONFIGURATION.replace(
        "listen {address}:{port};",
        "listen {port} ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;")
    SYSTEM = Path("/etc/ssl/certs/ca-certificates.crt")

    def __init__(self, root, scratch, count):
        super().__init__(root, scratch)
        self.hosts = [f"127.0.{1 + number // 250}.{1 + number % 250}" for number in range(count)]
        # The certificate authorities of the system, and this server's certificate.
        self.authorities = Path(scratch) / "authorities.pem"

    def write_configuration(self):
        names = ",".join(f"IP:{host}" for host in self.hosts)
        subprocess.run(
            [tool("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=bench", "-addext", f"subjectAltName={names}",
             "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem"],
            check=True, stderr=subprocess.DEVNULL)
        self.authorities.write_bytes(
            self.SYSTEM.read_bytes() + (self.folder / "cert.pem").read_bytes())
        return super().write_configuration()


class SlowLink:
    """A network namespace behind a link of 50 Mbit/s, during a `with` block. Needs root."""

    RATE, BURST, LATENCY = "50mbit", "32kbit", "400ms"
    # Addresses of the block that RFC 2544 reserves for benchmarks.
    own_address, server_address = "198.18.77.1", "198.18.77.2"

    def __init__(self):
        self.name = f"tgbench{os.getpid()}"
        self.outer, self.inner = f"tgo{os.getpid()}"[:15], f"tgi{os.getpid()}"[:15]
        self.inside = [tool("ip"), "netns", "exec", self.name]

    def __enter__(self):
        ip, tc = tool("ip"), tool("tc")
        if os.geteuid() != 0:
            raise BenchError("a network namespace with tc needs root: once all is built, run "
                             "sudo python3 -B Benchmarks/programs/bench.py with full, quick or "
                             "compare, or name the cases without link: CASES='decode feed …'")
        self.call(ip, "netns", "add", self.name)
        try:
            self.call(ip, "link", "add", self.outer, "type", "veth", "peer", "name", self.inner,
                      "netns", self.name)
            self.call(ip, "address", "add", f"{self.own_address}/30", "dev", self.outer)
            self.call(ip, "link", "set", self.outer, "up")
            self.call(*self.inside, ip, "address", "add", f"{self.server_address}/30",
                      "dev", self.inner)
            self.call(*self.inside, ip, "link", "set", self.inner, "up")
            self.call(*self.inside, ip, "link", "set", "lo", "up")
            self.call(*self.inside, tc, "qdisc", "add", "dev", self.inner, "root", "tbf", "rate",
                      self.RATE, "burst", self.BURST, "latency", self.LATENCY)
        except BenchError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([tool("ip"), "netns", "delete", self.name], stderr=subprocess.DEVNULL,
                       check=False)

    @staticmethod
    def call(*command):
        """Runs a command; if it fails, its standard error is the text of the error."""
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchError(f"the slow link can't be made: {' '.join(command)}\n{done.stderr}")
