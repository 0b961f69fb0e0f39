import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Longer than the site lets any request take, in ms. */
const PATIENCE = 20_000

export interface Question {
  method: string
  path: string
  headers: Record<string, string | number>
  body?: Buffer
}

export interface Answer {
  status: number
  /** By lower-case names. */
  headers: Record<string, string | string[] | undefined>
  body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Sends a request that is HTTP, whatever it says; rejects when no answer comes. */
export function ask(site: string, { method, path, headers, body }: Question): Promise<Answer> {
  const { hostname, port } = new URL(site)
  const options = { agent, hostname, port, method, path, headers, signal: patience() }
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: headers['content-encoding'] ? '' : bytes.toString() })
      }, reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends bytes and no more; resolves to all that is answered, as latin1, until the site closes the connection. */
export async function exchange(site: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(site)
  const socket = connect({ host: hostname, port: Number(port), signal: patience() })
  socket.end(bytes)
  return (await buffer(socket)).toString('latin1')
}

const patience = () => AbortSignal.timeout(PATIENCE)

/** The answers, one after the other, in what a connection has brought; interim ones aside. */
export function readAnswers(text: string): Answer[] {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return []
  const [start = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1])
  const pairs = lines.map((line) => line.split(/: (.*)/, 2))
  const headers: Answer['headers'] = Object.fromEntries(
    pairs.map(([name = '', value]) => [name.toLowerCase(), value]),
  )
  const { body, rest } = readBody(headers, text.slice(end + 4))
  if (status === 100) return readAnswers(rest)
  // What is compressed is left out: the same stands in the answers that are not.
  const readable = headers['content-encoding'] ? '' : Buffer.from(body, 'latin1').toString()
  return [{ status, headers, body: readable }, ...readAnswers(rest)]
}

function readBody(headers: Answer['headers'], text: string): { body: string; rest: string } {
  // To HEAD.
  if (text.startsWith('HTTP/1.1 ')) return { body: '', rest: text }
  if (headers['transfer-encoding'] === 'chunked') return joinChunks(text)
  const length = Number(headers['content-length'] ?? 0)
  return { body: text.slice(0, length), rest: text.slice(length) }
}

function joinChunks(text: string): { body: string; rest: string } {
  const [line = ''] = text.split('\r\n', 1)
  const size = Number.parseInt(line, 16)
  const start = line.length + 2
  const next = text.slice(start + size + 2)
  if (!size) return { body: '', rest: next }
  const { body, rest } = joinChunks(next)
  return { body: text.slice(start, start + size) + body, rest }
}
