# Not tested. Set the URL and the checksum of the release.
class Termgallery < Formula
  desc "Browse images and image feeds in a terminal"
  homepage "URL-OF-THE-REPOSITORY"
  url "URL-OF-THE-RELEASE/termgallery-0.2.0-linux-x86_64.tar.gz"
  sha256 "CHECKSUM-FROM-SHA256SUMS"
  license "MIT"

  depends_on :linux
  depends_on arch: :x86_64

  def install
    bin.install "bin/termgallery"
    share.install Dir["share/*"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/termgallery --version").strip
  end
end
