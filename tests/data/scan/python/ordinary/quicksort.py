def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    return quicksort([x for x in items if x < pivot]) + [x for x in items
                                                         if x == pivot] + quicksort([x for x in items if x > pivot])

assert quicksort([3, 1, 2]) == [1, 2, 3]
print(quicksort([9, 8, 1]))
