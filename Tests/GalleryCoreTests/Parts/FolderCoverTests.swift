import Decoders
import Testing
import VirtualTerminal

@testable import GalleryCore
@testable import TerminalUI

@Suite struct FolderCoverTests {
    private let ground = RGB(red: 1, green: 2, blue: 3)

    private func pixel(_ cover: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
        Array(cover.bytes[(y * cover.size.width + x) * 4..<(y * cover.size.width + x) * 4 + 4])
    }

    @Test(arguments: 1...4, [0, 3])
    func `the images of a cover fill it without overlap`(count: Int, gap: Int) {
        for size in [PixelSize(width: 40, height: 31), PixelSize(width: 3, height: 2)] {
            var covered = Array(repeating: 0, count: size.pixelCount)
            for area in FolderCover.areas(count: count, in: size, gap: 0) {
                for y in area.y..<area.y + area.height {
                    for x in area.x..<area.x + area.width { covered[y * size.width + x] += 1 }
                }
            }
            #expect(covered.allSatisfy { $0 <= 1 })
        }
        let size = PixelSize(width: 43, height: 33)
        let areas = FolderCover.areas(count: count, in: size, gap: gap)
        #expect(areas.count == count)
        #expect(areas.allSatisfy { $0.clamped(to: size) == $0 })
        #expect(areas.map { $0.x + $0.width }.max() == 43)
        #expect(areas.map { $0.y + $0.height }.max() == 33)
    }

    @Test func `a cover shows its images in order, with a gap between them`() throws {
        let colors: [[UInt8]] = [
            [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 9, 9, 255],
        ]
        let images = colors.map { PixelBuffer.plain(10, 20, $0) }

        let cover = try #require(
            FolderCover.composed(
                of: images,
                size: PixelSize(width: 22, height: 22),
                gap: 2,
                ground: ground
            )
        )

        #expect(pixel(cover, 0, 0) == colors[0])
        #expect(pixel(cover, 21, 0) == colors[1])
        #expect(pixel(cover, 0, 21) == colors[2])
        #expect(pixel(cover, 21, 21) == colors[3])
        #expect(pixel(cover, 10, 5) == [1, 2, 3, 255])
    }

    @Test func `images without pixels are left out, and a cover needs an image`() {
        let size = PixelSize(width: 8, height: 8)
        let empty = PixelBuffer(size: PixelSize(width: 0, height: 0), bytes: [], hasAlpha: false)
        #expect(FolderCover.composed(of: [empty], size: size, gap: 0, ground: ground) == nil)
        #expect(FolderCover.composed(of: [], size: size, gap: 0, ground: ground) == nil)
    }

    @Test func `an image is cut to the middle part with the aspect ratio of its area`() {
        let wide = PixelSize(width: 100, height: 20)
        #expect(
            wide.crop(filling: PixelSize(width: 10, height: 10))
                == PixelRect(x: 40, y: 0, width: 20, height: 20)
        )
        let tall = PixelSize(width: 20, height: 100)
        #expect(
            tall.crop(filling: PixelSize(width: 10, height: 5))
                == PixelRect(x: 0, y: 45, width: 20, height: 10)
        )
        #expect(PixelSize(width: 1, height: 1000).crop(filling: wide).height == 1)
    }
}
