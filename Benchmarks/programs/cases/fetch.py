"""`fetch`, which checks the images that it loads, compared with curl, which does not."""

from pictures import mean_size, write_feed
from plot import Chart
from server import ManyServers, Server

TITLE = "fetch against curl"
X = "files"
CHARTS = [Chart("fetch", "bars", "wall", "A list from nginx on this machine, 16 transfers at once",
                "seconds, less is better"),
          Chart("fetch-cpu", "bars", "cpu", "The same: CPU time", "CPU seconds, less is better")]
TRANSFERS = 16


def measure(bench):
    """Compares small and medium files by the extent of the check, and some of them with the disk."""
    small, medium = (2000, 300) if bench.quick else (20000, 2000)
    with Server(bench.pictures.folder, bench.scratch) as server:
        check(bench, server, "small", bench.pictures.small(small))
        check(bench, server, "medium", bench.pictures.medium(medium))
        # Fewer files, because some file systems take longer to delete them than this case takes to load them.
        keep(bench, server, "small", bench.pictures.small(small // 4))
        keep(bench, server, "medium", bench.pictures.medium(medium // 2))
    many(bench, bench.pictures.small(50 if bench.quick else 200))


def check(bench, server, name, files):
    """Measures without storing anything."""
    x = f"{len(files):,} × {mean_size(files)}"
    urls, listed = lists(bench, server, name, files)
    contestants = bench.programs.curl(urls, TRANSFERS, x)
    for extent in ["head", "thumbnail"]:
        arguments = ["fetch", "--transfers", TRANSFERS, "--no-disk-cache", "--check", extent, listed]
        contestants += bench.programs.termgallery(arguments, x, f"fetch, {extent}")
    bench.contest(contestants, runs=3)


def keep(bench, server, name, files):
    """Measures with everything stored: in files by curl, in the disk cache by termgallery."""
    x = f"{len(files):,} × {mean_size(files)}, kept"
    urls, listed = lists(bench, server, name, files)
    arguments = ["fetch", "--transfers", TRANSFERS, "--disk-cache", "4G", listed]
    bench.contest(
        bench.programs.curl(urls, TRANSFERS, x, bench.scratch / "bodies")
        + bench.programs.termgallery(arguments, x, "fetch, disk", cold=True), runs=3)


def many(bench, files):
    """Measures as many https servers as files, like a feed of images from many sites."""
    x = f"{len(files)} https servers"
    with ManyServers(bench.pictures.folder, bench.scratch, len(files)) as server:
        urls = [f"https://{host}:{server.port}/small/{file.name}"
                for host, file in zip(server.hosts, files)]
        listed = write_feed(bench.scratch / "many.txt", urls)
        bench.programs.variables = {"CURL_CA_BUNDLE": str(server.authorities)}
        arguments = ["fetch", "--transfers", TRANSFERS, "--no-disk-cache", "--check", "head", listed]
        bench.contest(bench.programs.curl(urls, TRANSFERS, x)
                      + bench.programs.termgallery(arguments, x, "fetch, head"), runs=3)
        bench.programs.variables = {}


def lists(bench, server, name, files):
    """Returns the URLs of the files, and a feed of them."""
    urls = [f"{server.base}/{name}/{file.name}" for file in files]
    return urls, write_feed(bench.scratch / f"{name}.txt", urls)
