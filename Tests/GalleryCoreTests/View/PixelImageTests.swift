import Decoders
import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Images in the pixels of their cells.
@Suite struct PixelImageTests {
    private static let cell = PixelSize(width: 9, height: 18)

    private let capabilities: ScreenCapabilities = {
        var capabilities = ScreenCapabilities.color
        capabilities.graphics = .kitty
        capabilities.cellPixels = Self.cell
        return capabilities
    }()

    /// Returns the viewport that shows a whole image in a box of cells.
    private func viewport(_ imageSize: PixelSize, in box: ScreenSize) -> DetailViewport {
        DetailViewport(serial: 1, imageSize: imageSize, box: box, cellPixels: Self.cell)
    }

    private func shown(_ rgba: [UInt8]) throws -> (pixels: PixelBuffer, backdrop: Backdrop) {
        let image = CellImage(
            .plain(72, 72, rgba),
            box: ScreenSize(columns: 8, rows: 4),
            capabilities: capabilities
        )
        return (try #require(image.pixelImage).pixels(), capabilities.backdrop)
    }

    private func color(_ pixels: PixelBuffer, row: Int, column: Int) -> RGB {
        let start = (row * pixels.size.width + column) * 4
        let bytes = pixels.bytes[start..<(start + 3)].map(Int.init)
        return RGB(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    @Test func `a printed image leaves no strip of card color, but the terminal's background`()
        throws
    {
        var capabilities = capabilities
        let ground = CellColor.rgb(12, 34, 56)
        capabilities.terminalColors = TerminalColors(ground: ground)
        let sheet = ContactSheet(
            columns: 1,
            imageBox: ScreenSize(columns: 20, rows: 10),
            capabilities: capabilities
        )
        let response = ImageResponse(
            image: .plain(100, 63, [255, 255, 255, 255]),
            source: .disk,
            byteCount: 1,
            httpStatus: nil
        )

        let item = FeedItem(filePath: "/a.png")
        let frame = sheet.row([ContactSheet.Entry(item: item, outcome: .success(response))])

        let pixels = try #require(frame.images.first).image.pixels()
        var colors: Set<RGB> = []
        for row in 0..<pixels.size.height {
            for column in 0..<pixels.size.width {
                colors.insert(color(pixels, row: row, column: column))
            }
        }
        #expect(colors == [RGB(red: 255, green: 255, blue: 255), RGB(ground)])
    }

    // The same squares as in cells, which the pixels take the place of.
    @Test func `transparent areas show squares of the theme's colors, two cells wide`() throws {
        let (pixels, backdrop) = try shown([0, 0, 0, 0])

        #expect(pixels.size == PixelSize(width: 72, height: 72))
        for (row, column) in [(0, 0), (17, 17), (0, 18), (18, 0), (35, 53), (71, 71), (54, 30)] {
            let expected = backdrop.color(
                row: row / Self.cell.height,
                column: column / Self.cell.width
            )
            #expect(color(pixels, row: row, column: column) == expected, "at \(row), \(column)")
        }
        #expect(color(pixels, row: 0, column: 0) != color(pixels, row: 0, column: 18))
    }

    @Test func `the squares are whole cells, although the picture starts inside a cell`() throws {
        let image = PixelImage(
            .plain(61, 36, [0, 0, 0, 0]),
            pictureSize: PixelSize(width: 61, height: 36),
            box: ScreenSize(columns: 8, rows: 2),
            cellPixels: Self.cell,
            backdrop: capabilities.backdrop
        )

        let pixels = image.pixels()

        // The picture covers the columns from 5 to 65.
        for column in 5...65 {
            let expected = capabilities.backdrop.color(row: 0, column: column / Self.cell.width)
            #expect(color(pixels, row: 0, column: column) == expected, "at \(column)")
        }
    }

    @Test func `a frame has the same background in cells and in pixels`() throws {
        let size = PixelSize(width: 31, height: 29)

        let frame = CellImage(
            .plain(31, 29, [0, 0, 0, 0]),
            viewport: viewport(size, in: ScreenSize(columns: 21, rows: 9)),
            capabilities: capabilities
        )

        let pixels = try #require(frame.pixelImage).pixels()
        for row in 0..<frame.rows - 1 {
            for column in 1..<frame.columns - 1 {
                let (x, y) = (column * Self.cell.width + 4, row * Self.cell.height + 4)
                let shown = color(pixels, row: y, column: x)
                #expect(RGB(frame[row, column].background) == shown, "at \(row), \(column)")
            }
        }
    }

    @Test(arguments: [
        (100, 63), (63, 100), (100, 75), (31, 29), (9, 18), (10, 19), (300, 20), (20, 300), (1, 1),
    ])
    func `an image is centered in its tile to the pixel`(width: Int, height: Int) throws {
        let box = ScreenSize(columns: 20, rows: 7)
        var capabilities = capabilities
        capabilities.graphics = .kittyPlaceholders
        let area = ImageArea(box: box, capabilities: capabilities, centersPixels: true)
        let size = PixelSize(width: width, height: height)
        let cells = area.image(.plain(width, height, [255, 0, 0, 255]), of: size, isPreview: false)
        let rect = FrameImage(
            cells,
            centeredIn: FrameRect(row: 0, column: 0, rows: box.rows, columns: box.columns)
        ).rect

        let pixels = try #require(cells.pixelImage).pixels()

        let cellsOnScreen = ScreenSize(columns: rect.columns, rows: rect.rows)
        #expect(pixels.size == capabilities.pixelSize(of: cellsOnScreen))
        let (red, all) = (RGB(red: 255, green: 0, blue: 0), capabilities.pixelSize(of: box))
        let rows = (0..<pixels.size.height).filter { row in
            (0..<pixels.size.width).contains { color(pixels, row: row, column: $0) == red }
        }
        let columns = (0..<pixels.size.width).filter { column in
            (0..<pixels.size.height).contains { color(pixels, row: $0, column: column) == red }
        }
        let top = rect.row * Self.cell.height + rows[0]
        let bottom = all.height - top - rows.count
        let left = rect.column * Self.cell.width + columns[0]
        let right = all.width - left - columns.count
        #expect(abs(top - bottom) <= 1, "\(top) and \(bottom) rows")
        #expect(abs(left - right) <= 1, "\(left) and \(right) columns")
    }

    @Test func `opaque areas show no squares`() throws {
        let (pixels, _) = try shown([200, 100, 50, 255])

        #expect(Set((0..<72).map { color(pixels, row: $0, column: $0).red }) == [200])
    }

    // No row is removed to fill whole cells, and none is interpolated.
    @Test func `an image loaded for the screen is shown pixel for pixel`() throws {
        let size = PixelSize(width: 99, height: 57)
        let bytes = (0..<size.pixelCount * 4).map { index -> UInt8 in
            index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index * 7)
        }
        let imageSize = PixelSize(width: 990, height: 564)
        let image = CellImage(
            PixelBuffer(size: size, bytes: bytes, hasAlpha: false),
            viewport: viewport(imageSize, in: ScreenSize(columns: 11, rows: 9)),
            capabilities: capabilities
        )

        let pixels = try #require(image.pixelImage).pixels()
        #expect(pixels.size == PixelSize(width: 99, height: 72))
        #expect(Array(pixels.bytes.prefix(bytes.count)) == bytes)
    }
}
