import Testing

@testable import Feeds

extension EndToEnd {
    /// The `info` command, compared with ExifTool on files that ExifTool has written.
    @Suite struct InfoTests {
        private let program = TestProgram()

        /// Copies of `fixture` with the tags that people look for.
        ///
        /// `arguments` are further arguments of ExifTool.
        private func write(_ fixture: String, as name: String, _ arguments: String) throws -> String
        {
            let path = "\(program.home)/\(name)"
            try shell(
                """
                cp '\(Self.fixtures)/\(fixture)' '\(path)'
                exiftool -q -q -m -overwrite_original \(Self.tags) \(arguments) '\(path)'
                """
            )
            return path
        }

        private static let fixtures: String = {
            let parts = #filePath.split(separator: "/").dropLast(3)
            return "/\(parts.joined(separator: "/"))/DecodersTests/Fixtures"
        }()

        private static let tags = """
            -Make='NIKON CORPORATION' -Model='NIKON D750' -LensModel='24-70mm f/2.8' \
            -ExposureTime=1/250 -FNumber=2.8 -ISO=400 -ExposureCompensation=-1/3 -FocalLength=35 \
            -FocalLengthIn35mmFormat=52 -DateTimeOriginal='2026:05:03 10:11:12' \
            -OffsetTimeOriginal=+02:00 -CreateDate='2026:05:03 10:11:13' -Orientation#=1 \
            -ColorSpace=sRGB -Software='camera 1.0' -Artist='Zoë' -Copyright='(c) 2026 Zoë' \
            -ImageDescription='A hill' -UserComment='seen from the bridge' \
            -GPSLatitude=48.8566 -GPSLatitudeRef=N -GPSLongitude=2.3522 -GPSLongitudeRef=W \
            -GPSAltitude=35.56 -GPSAltitudeRef=0 \
            -XMP:Title='Hügel' -XMP:Description='A hill in spring' -XMP:Subject=hill \
            -XMP:Subject='spring, 2026' -XMP:Creator=Ann -XMP:Creator=Bob -XMP:Rights=free \
            -XMP:Rating=4 -XMP:Label=Red
            """

        private func shell(_ script: String) throws {
            let run = try ProgramRun(
                "/bin/sh",
                ["-ec", script],
                environment: program.environment()
            )
            try #require(run.status == .exited(0), "\(run.errors)")
        }

        private func records(_ run: ProgramRun) throws -> [[String: JSONValue]] {
            guard case .array(let values) = try JSONValue(parsing: run.output) else { return [] }
            return values.map { value in
                guard case .object(let members) = value else { return [:] }
                return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
            }
        }

        @Test(arguments: [false, true])
        func `every field of info is that of ExifTool, for JPEG, PNG, WebP, TIFF and HEIF`(
            isNumeric: Bool
        ) throws {
            defer { program.remove() }
            let iptc = "-IPTC:Keywords=k1 -IPTC:Keywords=k2 -IPTC:Caption-Abstract=cap "
            let files = [
                try write("444.jpg", as: "a.jpg", iptc + "-IPTC:By-line=Ann -IPTC:ObjectName=o"),
                try write("444.jpg", as: "turned.jpg", "-Orientation#=6 -XMP:Rating=-1"),
                try write("444.jpg", as: "slow.jpg", "-ExposureTime=2.5 -FNumber=8 -ISO=25600"),
                try write("444.jpg", as: "south.jpg", "-GPSLatitudeRef=S -GPSAltitudeRef=1"),
                try write("444.jpg", as: "number.jpg", "-Model=350 -XMP:Title=007 -XMP:Label=true"),
                try write("Formats/alpha.webp", as: "a.webp", ""),
                try write("Formats/gray.tiff", as: "a.tiff", iptc),
                try write("Camera/phone.heic", as: "a.heic", ""),
                try write("Formats/alpha.avif", as: "a.avif", ""),
                try write("Formats/keep.apng", as: "a.png", ""),
            ]
            let options = isNumeric ? ["--numeric"] : []
            let run = try program.run(["info", "--json"] + options + files)
            #expect(run.status == .exited(0) && run.errors.isEmpty)
            let own = try records(run)
            let other = try records(
                ProgramRun(
                    "/usr/bin/exiftool",
                    ["-j"] + (isNumeric ? ["-n"] : []) + files,
                    environment: program.environment()
                )
            )

            #expect(own.count == files.count && other.count == files.count)
            for (own, other) in zip(own, other) {
                #expect(own.count >= 20, "\(own)")
                for (name, value) in own {
                    let isEqual = other[name].map { Self.agree(value, $0) } ?? false
                    #expect(isEqual, "\(name): \(value), ExifTool: \(other[name] as Any)")
                }
            }
        }

        /// Returns whether two values are equal, or numbers that differ by rounding only.
        private static func agree(_ first: JSONValue, _ second: JSONValue) -> Bool {
            if case .number(let first) = first, case .number(let second) = second,
                let first = Double(first), let second = Double(second)
            {
                return abs(first - second) <= abs(second) * 1e-8
            }
            return first == second
        }

        @Test func `the texts of an image generator are printed whole`() throws {
            defer { program.remove() }
            let path = "\(program.home)/a.png"
            try shell(
                """
                python3 - '\(Self.fixtures)/Formats/keep.apng' '\(path)' <<'END'
                import struct, sys, zlib
                def chunk(kind, data):
                    return struct.pack('>I', len(data)) + kind + data + \
                struct.pack('>I', zlib.crc32(kind + data))
                png = open(sys.argv[1], 'rb').read()
                workflow = '{"größe": "' + 'x' * 300000 + '"}'
                texts = chunk(b'tEXt', b'parameters\\0a cat\\nSteps: 20')
                texts += chunk(b'zTXt', b'prompt\\0\\0' + zlib.compress(b'{"3": 1}'))
                texts += chunk(b'iTXt', b'workflow\\0\\1\\0de\\0\\0' + zlib.compress(workflow.encode()))
                open(sys.argv[2], 'wb').write(png[:33] + texts + png[33:])
                END
                """
            )
            let run = try program.run(["info", "--json", path])
            let record = try #require(try records(run).first)

            #expect(record["Parameters"] == .string("a cat\nSteps: 20"))
            #expect(record["Prompt"] == .string("{\"3\": 1}"))
            guard case .string(let workflow)? = record["Workflow"] else {
                throw Unexpected()
            }
            #expect(workflow.hasPrefix("{\"größe\"") && workflow.count > 300_000)
        }

        private struct Unexpected: Error {}

        @Test func `a sidecar takes precedence over the file`() throws {
            defer { program.remove() }
            let path = try write("444.jpg", as: "a.jpg", "")
            try shell(
                """
                exiftool -q -XMP:Rating=2 -XMP:Label=Blue '\(program.home)/a.xmp'
                exiftool -q -XMP:Rating=5 '\(path).xmp'
                """
            )
            let run = try program.run(["info", "--json", path])
            let record = try #require(try records(run).first)

            #expect(record["Rating"] == .number("5") && record["Label"] == .string("Blue"))
            #expect(record["SidecarFile"] == .string("\(path).xmp"))
            let text = try program.run(["info", path]).text
            #expect(text.contains("rating     5 of 5") && text.contains("1/250 s  f/2.8  ISO 400"))
        }

        @Test func `a file that can't be read is reported, and the others are printed`() throws {
            defer { program.remove() }
            let path = try write("444.jpg", as: "a.jpg", "-Artist=\"$(printf 'x\\033[2Jy')\"")
            let run = try program.run(["info", "missing.jpg", program.home, path])

            #expect(run.status == .exited(1))
            #expect(run.errors.contains("missing.jpg: No such file"))
            #expect(run.errors.contains("\(program.home): is not a file"))
            #expect(run.text.contains("NIKON D750") && !run.text.contains("\u{1B}"))
        }
    }
}
