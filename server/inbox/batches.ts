const TRANSACTION_TIMEOUT_MS = 10_000

/** Deadline of an operation that begins now, in epoch ms. */
export const soon = () => Date.now() + TRANSACTION_TIMEOUT_MS

export interface BatchQuery<Item> {
  limit: number
  /** Cursor: the last item of the previous batch. */
  after?: Item
}

/** Runs an operation batch by batch, so that it needs little memory and holds each lock only briefly. */
export async function* inBatches<Item>(
  limit: number,
  step: (deadline: number, query: BatchQuery<Item>) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after: Item | undefined
  do {
    const batch = await step(soon(), { limit, after })
    if (batch.length > 0) yield batch
    after = batch.length < limit ? undefined : batch.at(-1)
  } while (after !== undefined)
}
