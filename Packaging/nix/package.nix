# Not tested. Set the URL and the checksum of the release.
{ lib, stdenv, fetchurl, autoPatchelfHook, curl, openssl, libxml2, jansson, giflib, libwebp, libheif
, libjxl, libtiff, librsvg, gexiv2, lcms2, libseccomp }:

stdenv.mkDerivation rec {
  pname = "termgallery";
  version = "0.2.0";

  src = fetchurl {
    url = "URL-OF-THE-RELEASE/termgallery-${version}-linux-x86_64.tar.gz";
    hash = lib.fakeHash;
  };

  nativeBuildInputs = [ autoPatchelfHook ];

  # The program loads these libraries when it first needs them.
  runtimeDependencies = [
    curl openssl libxml2 jansson giflib libwebp libheif libjxl libtiff librsvg gexiv2 lcms2 libseccomp
  ];

  installPhase = ''
    mkdir -p $out
    cp -r bin share $out/
  '';

  meta = {
    description = "Browse images and image feeds in a terminal";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" ];
    mainProgram = "termgallery";
  };
}
