public import Decoders

/// What shows the picture of an `ImageBinding`; called in the binding's domain only.
public protocol ImageDisplaying: AnyObject {
    /// Shows `image`; nil clears the view (row V4).
    func display(_ image: DecodedImage?)
}
