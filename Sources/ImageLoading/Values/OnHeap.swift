/// A property wrapper that stores a large value on the heap, for values that are usually nil.
///
/// Nil takes one word, and copying a value costs one reference count update.
///
/// The wrapper has value semantics: changing a copy allocates new storage.
@propertyWrapper
package struct OnHeap<Value: Sendable>: Sendable {
    fileprivate indirect enum Place: Sendable {
        case value(Value)
    }

    fileprivate var place: Place?

    /// Creates a wrapper for a value or nil.
    package init(wrappedValue: Value?) {
        place = wrappedValue.map(Place.value)
    }

    /// The wrapped value.
    package var wrappedValue: Value? {
        get {
            guard case .value(let value) = place else { return nil }
            return value
        }
        set { place = newValue.map(Place.value) }
    }
}

extension OnHeap.Place: Equatable where Value: Equatable {}
extension OnHeap.Place: Hashable where Value: Hashable {}
extension OnHeap: Equatable where Value: Equatable {}
extension OnHeap: Hashable where Value: Hashable {}
