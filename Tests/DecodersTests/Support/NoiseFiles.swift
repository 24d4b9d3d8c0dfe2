import Decoders

/// Noise of one size as a baseline and a progressive JPEG, a PNG of rows and one of passes: a file
/// for each way through the decoders.
func noiseFiles(width: Int, height: Int) throws -> [[UInt8]] {
    let picture = noise(width: width, height: height, hasAlpha: false, seed: 9)
    return try [
        JPEGEncoder.encode(picture, quality: 80, progressive: false),
        JPEGEncoder.encode(picture, quality: 80, progressive: true),
        PNGEncoder.encode(picture, interlaced: false),
        PNGEncoder.encode(picture, interlaced: true),
    ]
}
