import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { createPostgresInbox } from '../../../server/inbox/postgres/inbox.ts'
import { soon } from '../../support/clock.ts'

test.each(['sslrootcert', 'sslcert', 'sslkey'])(
  'a database whose %s cannot be read any more is out of reach, and no error of ours',
  async (name) => {
    const url = `postgres://site@127.0.0.1:9/inbox?${name}=/no/such/file`
    const inbox = createPostgresInbox({ url })
    const failed = inbox.open(soon()).catch((error) => error)
    expect(await failed).toBeInstanceOf(InboxUnavailable)
    expect(await failed).toMatchObject({ reason: 'cannot-open', cause: { code: 'ENOENT' } })
    await inbox.close()
  },
)
