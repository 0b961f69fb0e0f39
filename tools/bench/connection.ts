import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

interface Connection {
  send(request: Buffer): void
  close(): void
}

/**
 * Opens a connection that sends one request at a time and needs little CPU time: it has one buffer for all
 * input, and reads only the status and the length of each answer.
 * @param onAnswer receives the size in bytes of each complete answer with this status
 * @param onFailure receives the error if an answer is wrong or the connection fails or ends
 */
export function openConnection(
  { port, status = 200 }: { port: number; status?: number },
  onAnswer: (size: number) => void,
  onFailure: (error: Error) => void,
): Promise<Connection> {
  let size = 0
  /** Missing bytes of the answer; infinite if the answer is chunked. */
  let missing = 0
  const last = Buffer.alloc(LAST_CHUNK.length)

  function readHead(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END)
    const head = bytes.toString('latin1', 0, Math.max(end, 0))
    if (!head.startsWith(`HTTP/1.1 ${status} `))
      throw new Error(`Unexpected answer: ${bytes.toString('latin1', 0, 300)}`)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    missing = length ? end + HEAD_END.length + Number(length) : Number.POSITIVE_INFINITY
  }

  function isLast(bytes: Buffer): boolean {
    const kept = Math.max(0, last.length - bytes.length)
    last.copyWithin(0, last.length - kept)
    bytes.copy(last, kept, Math.max(0, bytes.length - last.length))
    return last.equals(LAST_CHUNK)
  }

  function read(bytes: Buffer): void {
    if (size === 0) readHead(bytes)
    size += bytes.length
    missing -= bytes.length
    if (missing < 0) throw new Error('An answer is longer than its Content-Length')
    if (missing > 0 && (Number.isFinite(missing) || !isLast(bytes))) return
    const whole = size
    size = 0
    onAnswer(whole)
  }

  return new Promise((resolve) => {
    const buffer = Buffer.allocUnsafe(64 * 1024)
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback(length) {
          try {
            read(buffer.subarray(0, length))
          } catch (error) {
            onFailure(error as Error)
          }
          return true
        },
      },
    })
    socket.on('error', onFailure)
    socket.on('end', () => onFailure(new Error('The server closed a connection during the load')))
    socket.on('connect', () =>
      resolve({
        send: (request) => void socket.write(request),
        close: () => void socket.destroy(),
      }),
    )
  })
}
