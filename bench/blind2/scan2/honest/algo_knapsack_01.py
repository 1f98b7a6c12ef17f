# class: algorithm; style: LLM output, over-commented
# This function solves the 0/1 knapsack problem using dynamic programming.
# Time complexity: O(n * W), space complexity: O(W)
def knapsack(weights, values, capacity):
    # Initialize the dp array with zeros
    dp = [0] * (capacity + 1)
    # Iterate over every item
    for w, v in zip(weights, values):
        # Go backwards so that each item is used at most once
        for c in range(capacity, w - 1, -1):
            dp[c] = max(dp[c], dp[c - w] + v)
    # The answer is the last cell
    return dp[capacity]


# Example usage
if __name__ == "__main__":
    print(knapsack([1, 3, 4, 5], [1, 4, 5, 7], 7))  # Expected output: 9
