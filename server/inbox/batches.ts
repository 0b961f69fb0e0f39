const TRANSACTION_TIMEOUT_MS = 10_000

/** Deadline of one transaction. */
export const soon = () => Date.now() + TRANSACTION_TIMEOUT_MS

export interface BatchQuery<Item> {
  limit: number
  /** Cursor: the last item of the previous batch. */
  after?: Item
}

/** Repeats an operation on one batch of items after another, so that neither its memory nor its lock grows. */
export async function* inBatches<Item>(
  limit: number,
  step: (query: BatchQuery<Item>, deadline: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: Item | undefined
  do {
    const batch = await step({ limit, after }, soon())
    if (batch.length > 0) yield batch
    after = batch.length < limit ? undefined : batch.at(-1)
  } while (after !== undefined)
}
