import type { Inbox, ListQuery, Message } from './inbox.ts'

const PAGE_SIZE = 500

export interface ReadOptions extends Pick<ListQuery, 'order' | 'status'> {
  /** How long one page may take, in ms. */
  patience: number
}

/** Every message, in pages, so that memory stays flat however many there are. */
export async function* readPages(
  inbox: Pick<Inbox, 'list'>,
  { patience, ...query }: ReadOptions,
): AsyncGenerator<Message[]> {
  let after: Message | undefined
  do {
    const page = await inbox.list({ ...query, limit: PAGE_SIZE, after }, Date.now() + patience)
    if (page.length > 0) yield page
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)
  } while (after)
}
