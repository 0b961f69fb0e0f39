import { DatabaseSync } from 'node:sqlite'
import { VALID } from '../../harness/client.ts'

/** Inserts rows with the columns of a message into SQLite, each in its own durable transaction. */
process.once('message', (path: string) => {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE messages (
      reference TEXT PRIMARY KEY, received_at INTEGER, status TEXT, trapped TEXT, first_name TEXT,
      last_name TEXT, email TEXT, service TEXT, message TEXT, language TEXT, content_hash TEXT,
      mailbox TEXT
    ) STRICT`)
  const insert = database.prepare(
    'INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const { firstName, lastName, email, service, message } = VALID
  const hash = 'f'.repeat(64)
  let n = 0
  process.on('message', (duration: number) => {
    const begin = performance.now()
    const first = n
    while (performance.now() - begin < duration) {
      n += 1
      const reference = `RG-${String(Math.random()).slice(2, 12)}${n}`
      const names = [firstName, lastName, email, service]
      insert.run(reference, n, 'new', '', ...names, `${message} ${n}`, 'fr', hash, email)
    }
    process.send?.(((n - first) * 1000) / (performance.now() - begin))
  })
  process.send?.('ready')
})
