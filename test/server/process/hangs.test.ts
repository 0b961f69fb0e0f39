import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, startNode } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'

const MAIN = join(import.meta.dirname, '../../../server/main.js')

const folder = createFolder()
const pipe = join(folder, 'pipe')
/** A pipe without a writer: a thread that opens it hangs. */
const silent = join(folder, 'silent')
let reader: number

/** Creates a pipe that is full, and that nobody reads. */
beforeAll(() => {
  execFileSync('mkfifo', [pipe, silent])
  reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const fill = (size: number) => {
    try {
      for (;;) writeSync(reader, 'x'.repeat(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
  fill(4096)
  fill(1)
})
afterAll(() => closeSync(reader))

/** SIGUSR2 throws an error that nobody catches. */
const prelude = (store: string, silent: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`
import { open } from 'node:fs'
import { isMainThread, parentPort } from 'node:worker_threads'
const fail = () => { throw new Error('thrown by the test') }
if (isMainThread) process.on('SIGUSR2', fail)
else if (${store === 'throws'}) parentPort.on('message', (call) => call === 'close' && fail())
if (isMainThread && '${silent}') open('${silent}', () => {})`)}`

type Trouble = 'log' | 'log and errors' | 'thread' | 'full disk'

const rows: [name: string, signals: NodeJS.Signals[], code: number, Trouble?, store?: 'throws'][] =
  [
    ['SIGTERM', ['SIGTERM'], 0],
    ['SIGTERM, and standard error hangs', ['SIGTERM'], 0, 'log and errors'],
    ['SIGINT and SIGTERM', ['SIGINT', 'SIGTERM'], 0],
    ['SIGTERM, and the thread of the store throws', ['SIGTERM'], 0, 'log', 'throws'],
    ['an uncaught error', ['SIGUSR2'], 1, 'log and errors'],
    ['an uncaught error during a shutdown', ['SIGTERM', 'SIGUSR2'], 1],
    ['SIGTERM, and only a thread hangs', ['SIGTERM'], 0, 'thread'],
  ]
/** Only Linux has this device, which fails like a full disk. */
const FULL = '/dev/full'
if (existsSync(FULL))
  rows.push(['SIGTERM, and the disk of its log is full', ['SIGTERM'], 0, 'full disk'])

test.each(rows)('the process ends while its log hangs: %s', async (...row) => {
  const [, signals, code, trouble = 'log', store = ''] = row
  const port = await findFreePort()
  const output = openSync(trouble === 'full disk' ? FULL : pipe, constants.O_WRONLY)
  const child = startNode([MAIN], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, String(port))}`,
      NODE_OPTIONS: prelude(store, trouble === 'thread' ? silent : ''),
    },
    stdio: [
      'ignore',
      trouble === 'thread' ? 'ignore' : output,
      trouble === 'log and errors' ? output : 'inherit',
    ],
  })
  closeSync(output)
  const isServing = async () => (await fetch(`http://127.0.0.1:${port}/`)).ok
  await until(() => isServing().catch(() => false))
  const exited = once(child, 'exit')
  for (const signal of signals) child.kill(signal)
  expect(await exited).toEqual([code, null])
})
