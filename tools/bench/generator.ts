import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../harness/numbers.ts'
import { CONNECTIONS, type Load, type Outcome, writeGet, writePost } from './load.ts'

/** A connection without a byte for this time fails the load. */
const TIMEOUT_MS = 10_000
const HEAD_END = '\r\n\r\n'

/** To save CPU time, reads only each answer's status and length. Send one request at a time. */
async function openConnection(port: number) {
  let answer = Promise.withResolvers<void>()
  /** Missing bytes of the answer. */
  let missing = 0

  function readHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END)
    const head = bytes.toString('latin1', 0, Math.max(end, 0))
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
    if (!length || !head.startsWith('HTTP/1.1 200 '))
      throw new Error(`Unexpected answer: ${bytes.toString('latin1', 0, 300)}`)
    return end + HEAD_END.length + Number(length)
  }

  function read(bytes: Buffer): void {
    missing ||= readHead(bytes)
    missing -= bytes.length
    if (missing < 0) throw new Error('An answer is longer than its Content-Length')
    if (missing === 0) answer.resolve()
  }

  const buffer = Buffer.allocUnsafe(64 * 1024)
  const onread = {
    buffer,
    callback(length: number) {
      try {
        read(buffer.subarray(0, length))
      } catch (error) {
        answer.reject(error)
      }
      return true
    },
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
  await once(socket, 'connect')
  socket.on('error', (error) => answer.reject(error))
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('An answer is missing')))
  socket.on('end', () => answer.reject(new Error('The server closed a connection during the load')))
  return {
    ask(request: Buffer): Promise<void> {
      answer = Promise.withResolvers()
      socket.write(request)
      return answer.promise
    },
    close: () => void socket.destroy(),
  }
}

let posts = 0

function createRequests(request: Load['request']): () => Buffer {
  if (request === 'posts') return () => writePost(++posts)
  const written = writeGet(request)
  return () => written
}

async function run(load: Load): Promise<Outcome> {
  const { port, pace, duration } = load
  const getRequest = createRequests(load.request)
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port)),
  )
  const begin = performance.now()
  let [planned, answers] = [0, 0]
  const latencies: number[] = []
  const isOver = () => performance.now() - begin >= duration
  const asked = connections.map(async ({ ask, close }) => {
    while (!isOver()) {
      const due = pace && begin + (planned++ * 1000) / pace
      if (due) await wait(Math.max(0, due - performance.now()))
      await ask(getRequest())
      answers += 1
      if (due) latencies.push(performance.now() - due)
    }
    close()
  })
  await Promise.all(asked)
  const rate = (answers * 1000) / (performance.now() - begin)
  return { rate, p99: quantile(latencies, 0.99) }
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load).catch((error) => ({ error: String(error) })))
})
