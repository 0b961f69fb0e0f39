import { once } from 'node:events'
import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/** To save CPU time, reads only each answer's status and length. Send one request at a time. */
export async function openConnection(port: number, status = 200) {
  let answer = Promise.withResolvers<number>()
  let size = 0
  /** Missing bytes of the answer; infinite if the answer is chunked. */
  let missing = 0
  let tail = ''

  function readHead(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END)
    const head = bytes.toString('latin1', 0, Math.max(end, 0))
    if (!head.startsWith(`HTTP/1.1 ${status} `))
      throw new Error(`Unexpected answer: ${bytes.toString('latin1', 0, 300)}`)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    missing = length ? end + HEAD_END.length + Number(length) : Number.POSITIVE_INFINITY
  }

  function read(bytes: Buffer): void {
    if (size === 0) readHead(bytes)
    size += bytes.length
    missing -= bytes.length
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    )
    if (missing < 0) throw new Error('An answer is longer than its Content-Length')
    if (missing > 0 && (Number.isFinite(missing) || tail !== LAST_CHUNK)) return
    answer.resolve(size)
    size = 0
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
  socket.on('end', () => answer.reject(new Error('The server closed a connection during the load')))
  return {
    ask(request: Buffer): Promise<number> {
      answer = Promise.withResolvers()
      socket.write(request)
      return answer.promise
    },
    close: () => void socket.destroy(),
  }
}
