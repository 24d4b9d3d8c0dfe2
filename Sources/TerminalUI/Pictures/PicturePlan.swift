import Decoders

extension PictureScreen {
    /// The output that makes the terminal show a frame.
    struct Plan {
        /// The bytes to write before the cells.
        ///
        /// These bytes send new images in kitty's protocol.
        package var before: [UInt8] = []
        /// The bytes to write after the cells.
        ///
        /// These bytes display new images and remove old images.
        package var after: [UInt8] = []
        /// The fingerprints of the images that are sent.
        package var sent: [UInt64] = []
        /// The images that must be encoded, most important first.
        package var missing: [PixelImage] = []
        /// The next image to encode in its final quality, or nil if no image needs to be encoded.
        package var unfinished: PixelImage?
        /// Whether a visible half-resolution image must be sent again.
        package var hasUnfinished = false
        /// Whether encoded images must wait for the next frame.
        package var isIncomplete = false
        /// Whether the images on the screen or their positions will change.
        var changesPlacements = false
        /// Whether rows may be moved by scrolling.
        ///
        /// Images that are not placed as characters do not move with the rows in every terminal.
        var allowsScrolling = true
    }
}

extension PictureScreen.Plan {
    /// Appends the commands that send an image.
    ///
    /// If the protocol has no image numbers, the commands also place the image.
    mutating func send(
        _ picture: ReadyPicture,
        id: UInt32,
        _ placed: PlacedImage,
        by graphics: GraphicsProtocol
    ) {
        let box = placed.image.box
        let usesPlaceholders = graphics == .kittyPlaceholders
        switch (picture, graphics) {
        case (.shared(let picture), _):
            KittyCommand.transmitSharedMemory(
                id: id,
                name: picture.name,
                size: picture.size,
                format: .rgba,
                columns: box.columns,
                rows: box.rows,
                placeholder: usesPlaceholders,
                to: &before
            )
        case (.encoded(let picture), .kittyPlaceholders), (.encoded(let picture), .kitty):
            KittyCommand.transmit(
                id: id,
                picture: picture,
                columns: box.columns,
                rows: box.rows,
                placeholder: usesPlaceholders,
                to: &before
            )
        case (.encoded(let picture), .iterm):
            CursorMove.append(row: placed.row, column: placed.column, to: &after)
            ITermCommand.image(
                picture,
                columns: box.columns,
                rows: box.rows,
                to: &after
            )
        case (.encoded(let picture), .sixel):
            CursorMove.append(row: placed.row, column: placed.column, to: &after)
            after += picture.payload
        }
    }
}
