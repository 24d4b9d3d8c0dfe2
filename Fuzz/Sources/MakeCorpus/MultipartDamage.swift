/// Bodies of cameras, each after a line with its content type.
enum MultipartDamage {
    static let files: [DamagedFile] = texts.map {
        ("multipart-\($0.key).txt", Array($0.value.utf8))
    }

    private static let type = "multipart/x-mixed-replace; boundary=frame\n"
    private static let part = "--frame\r\nContent-Type: image/jpeg\r\n\r\nJPEG\r\n"
    private static let counted = "--frame\r\nContent-Length: 6\r\n\r\n--frame\r\n"

    private static let texts: KeyValuePairs<String, String> = [
        "in-order": type + part + part,
        "counted": type + counted + part,
        "preamble": type + "preamble\r\n\r\n" + part + part,
        "without-end": type + part + "--fram",
        "head-cut": type + "--frame\r\nContent-Length: 4\r\n",
        "parts-empty": type + "--frame\r\nContent-Length: 0\r\n\r\n\r\n" + part + part,
        "part-of-one-byte": type + "--frame\n\nA\n--frame\n\nB\n--frame--\n",
        "length-negative": type + "--frame\r\nContent-Length: -4\r\n\r\nJPEG\r\n" + part,
        "length-huge": type + "--frame\r\nContent-Length: 9223372036854775807\r\n\r\nJPEG",
        "length-too-small": type + "--frame\r\nContent-Length: 2\r\n\r\nJPEG\r\n" + part,
        "boundary-repeats-itself": "Multipart/X-Mixed-Replace;boundary=\"--.--.\"\n"
            + "--.--.\n\n--.--.--\n",
        "boundary-of-hyphens": "multipart/x-mixed-replace; boundary=---\n---\n\n-\r--\r\n---",
        "boundary-missing": "multipart/x-mixed-replace\n" + part,
    ]
}
