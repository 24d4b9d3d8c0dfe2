/// A table of the sizes of the demo's image files, in bytes.
///
/// Without the table, an image would have to be painted to find its size, which takes tens of
/// milliseconds. That is too long for images that are never visible.
public enum DemoImageSizes {
    /// The seed of the images in the table.
    static let seed: UInt64 = 1

    /// Returns the sizes of a demo's first images, and the size to assume for the others, in bytes.
    ///
    /// The sizes are known for the first 1,000 images of seed 1, which are the images of a demo by
    /// default. They are accurate to within 200 bytes. If an error or an HTML page is sent instead
    /// of an image, its size is 0. The size to assume for the others is the mean of the sizes in
    /// the table.
    public static func sizes(_ configuration: DemoConfiguration) -> (first: [Int], mean: Int) {
        guard configuration.seed == seed else { return ([], mean) }
        let first = all.prefix(configuration.count).enumerated().map { index, size in
            Faults(number: index + 1, configuration: configuration).hidesImage ? 0 : size
        }
        return (first, mean)
    }

    /// The sizes, in bytes, of images 1 through 1,000.
    static let all: [Int] = {
        let digits = table.utf8.map { Int($0) - ($0 < 58 ? 48 : 87) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { index in
            (digits[index] * 36 + digits[index + 1]) * unit
        }
    }()

    private static let mean = all.reduce(0, +) / max(1, all.count)

    /// The number of bytes that one unit in the table represents.
    static let unit = 400

    /// The size of each image, in multiples of `unit`, as two base-36 digits.
    private static let table = """
        ik681hbh5a301f3d1x2u1hox1no338397t1q2c4v1v4f841d1ocw1q7h3c1d1fa71j6h664n1g1wqe3h1k1c3c3a\
        7o1v8r1a1e1und1powbw1h2sbs2y1id0a4124m1h3a1kky4caf3cbn1n38361h3h333e3r1g2x1j342t1x1j1p5s\
        4qjd351m3o1x3b764n1u1d1m1i1j6f3k2y1k4w1s1e511gah331l3b3a3xjh363b4j1v3ofn4q1f1k1q351f6l1f\
        131m171m1l1a1g2x3a1n1g37191f506g114s571h1k331m1h2p1k133n1j1pe71k1e3c851dl03u4ap41g1p1hs7\
        an1h884s5w3s77ai8d1mnw8d1m1i1kg16h1f1i3koq38381g1j2x3kk0341h1k1njl2z1u1k3f3j1g1q1k393a1s\
        853h1l1l371o5g1q661j39341d1g1i1o251o19377e311d571e6c1oap37b61j1g1b3h1h1i1s2ybs2p2wibgm1l\
        6sgo47188q348l1h1oby1g5z1jfc353d2f1c1v1a2z6z1b1j1o1l1o3o331o2t2q1j1q1k3hco1q5v1k1o4z333y\
        1h1k5d3o5a1meg3h6p1u1c5t202n5a3e631l361m1l1w7te2241l3h5l1i3pon391v1q201c1h1j2b1p615c1kav\
        2vifrg171c1r1x231j2y1h4vi41q1k1k1h6y1m5rg81h31e3n21h1n1j1g1i8v1e1l443n1h18eh321p34jo361i\
        155p1ql67g7k1k1n7v6j23171m891k1g1kau4j1n1j1l1f971e45521j191o4i7g1q357220792d2xe51q2r1w3a\
        181i3g5o6x3gfw9n1n30371f3c321oc11n1g541e3k1k1j3fb32j1p1f1dcx191j2o6t3p1j1r1j1p341k3k3e5i\
        3ibi1l721k145p1ksg1ubl4tpe663c5neel52u1h1g321iaakk1kae1j491e1w1j2a5eph1r6x3j69qd1d431may\
        33i56w2o1jbs1m2w3e1q4c3j413b1l1j1l3b1t8i1pmt1k1o3i531e4d1g3h2h12po1q1h335t37641n1d4u6qlk\
        mz1i691h2o3e1f3l1g36371r1x4r4d1o3g1y1p1l2f4y2a1r1m3l1x1h975d1o1q7z1o1o1u8h3h4z4u8w1n9m61\
        1n6d361j1g1q65361p941w1z4r1qb962351q1s1k7a641k1n1y1s1i4f1m2330196h1waj1w3z271d1c4q1kbu76\
        1l7jp9az1k1k1kabrp1h2q1l1e5x1g3a3z1n49wr1c3f6i378h1i2u1j4m5p1g1g3s3c1f1j3b373kd91f1c721p\
        4dc91h1tac5m3b4t571p1g1o34293w393p1q3c1n8n5a3x1l2yb72m1m2y1hev1k1l1j393v1j3h751joj1r121l\
        a51l2w1h7w3p6d1d1j7g1m471c1c291nbq7t1x1o3q6d2y1t1p1jgu9q74195it63l1for7t33b45z1f211o4t4c\
        383c5q1sjf2q1r8j2z2rer1m2boo1f4c6p3a152e8s1e198ifc191b22321k2t3n232o39161a3b9n313y1n6n9n\
        4c1m1o3d1d1nfo3d1m3x1j4i1m1j1q781kfh1f3b1f2x203c2x1i7r8a1h6h5c8h4y8z1n3i1k7t1k1l6w57nb37\
        3s1p1m1d1k3m1e1l1n9i1g2r4u7h3b1ko82y1n1l1u1k2r4q8u3a1g202z1o1o8dcy3e1s3n1r1q1i3mv31p1i1q\
        2k1x5q2y3d171l1o5v1e5c1k1h3dax1n2v1q592x1i3g2a20621n1m3k3e2g1w6s1jma1p3i2w1g1lng2u7b2v1l\
        eh1g33kk1e1k1bfm2w345nbc1r1k21331x3h3h1p1l4s1j6g3g387i1mrc8p1x1p
        """
}

extension Faults {
    /// Whether the server sends other content instead of the image.
    fileprivate var hidesImage: Bool { status != nil || isHTML }
}
