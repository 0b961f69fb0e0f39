import { connect } from 'node:net'

export interface Load {
  port: number
  connections: number
  /** ms */
  duration: number
  path: string
  /** Makes posts: of the n-th request, its address and body. */
  post: boolean
  /** So that no two rounds send the same message. */
  round: number
}

const CRLF = '\r\n'

function createRequest({ path, post, round }: Load, n: number): string {
  if (!post) return `GET ${path} HTTP/1.1${CRLF}Host: localhost${CRLF}${CRLF}`
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const body = JSON.stringify({
    firstName: 'Bench',
    lastName: 'Mark',
    email: 'bench@example.ca',
    message: `Message ${String(round).padStart(6, '0')}-${String(n).padStart(9, '0')} of a measure`,
    formStartTime: '1000000000000',
  })
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Forwarded-For: ${address}`,
    '',
    body,
  ].join(CRLF)
}

/** Where the answer that starts a buffer ends, or 0 when it has not all come. */
function findEnd(bytes: Buffer): number {
  const head = bytes.indexOf(CRLF + CRLF)
  if (head < 0) return 0
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length) {
    const end = head + 4 + Number(length)
    return bytes.length >= end ? end : 0
  }
  const chunks = bytes.indexOf('0\r\n\r\n', head)
  return chunks < 0 ? 0 : chunks + 5
}

/** Sends requests one after the other on each connection; resolves to the answers, and those that were not 200. */
function run(load: Load): Promise<{ answers: number; failures: number }> {
  let sent = 0
  let answers = 0
  let failures = 0
  const end = Date.now() + load.duration
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(load.port, '127.0.0.1').setNoDelay()
      let bytes: Buffer = Buffer.alloc(0)
      const send = () => {
        sent += 1
        socket.write(createRequest(load, sent))
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        bytes = bytes.length > 0 ? Buffer.concat([bytes, chunk]) : chunk
        if (findEnd(bytes) === 0) return
        answers += 1
        if (bytes.toString('latin1', 9, 12) !== '200') failures += 1
        bytes = Buffer.alloc(0)
        if (Date.now() < end) send()
        else resolve(void socket.destroy())
      })
    })
  return Promise.all(Array.from({ length: load.connections }, work)).then(() => ({
    answers,
    failures,
  }))
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load))
})
