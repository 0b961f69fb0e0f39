import type { Inbox, ListQuery, Message } from './inbox.ts'

const BATCH_SIZE = 500

export interface ReadOptions extends Pick<ListQuery, 'order' | 'status'> {
  /** The timeout of one batch, in ms. */
  patience: number
}

/** Reads every message in batches, so that memory stays flat. */
export async function* readBatches(
  inbox: Pick<Inbox, 'list'>,
  { patience, ...query }: ReadOptions,
): AsyncGenerator<Message[]> {
  let after: Message | undefined
  do {
    const batch = await inbox.list({ ...query, limit: BATCH_SIZE, after }, Date.now() + patience)
    if (batch.length > 0) yield batch
    after = batch.length < BATCH_SIZE ? undefined : batch.at(-1)
  } while (after)
}
