/// A property wrapper that stores a large value on the heap, for values that are usually nil.
///
/// Nil takes one word, and copying a value only updates a reference count. The wrapper has value
/// semantics: a changed copy gets its own storage.
@propertyWrapper
package struct OnHeap<Value: Sendable>: Sendable {
    fileprivate indirect enum Place: Sendable {
        case value(Value)
    }

    fileprivate var place: Place?

    package init(wrappedValue: Value?) {
        place = wrappedValue.map(Place.value)
    }

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
