import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Exchange {
  /** `silent`: the connection ended before the first byte of an answer; `cut`: before the last. */
  outcome: 'answered' | 'silent' | 'cut'
  status: number
  body: string
}

/** A connection over which requests go one after the other, and on which each byte is accounted for. */
export interface Wire {
  /** How many requests were answered over it. */
  answered: number
  /** Whether the other side has said that it ends, or has ended it. */
  isOver(): boolean
  /** Sends a request, the rest of it once that may go; never rejects. */
  ask(request: string, rest?: { after: Promise<unknown>; text: string }): Promise<Exchange>
  end(): void
}

/** Where the first answer ends in what was received; 0 while it is not whole. */
function findEnd(received: string): number {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1]
  if (length !== undefined) {
    const end = head + 4 + Number(length)
    return received.length >= end ? end : 0
  }
  const last = received.indexOf('0\r\n\r\n', head)
  return last < 0 ? 0 : last + 5
}

/** Resolves to undefined where nobody listens. */
export async function openWire(port: number): Promise<Wire | undefined> {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1')
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  let received = ''
  let over = false
  let wake = () => {}
  socket.on('data', (chunk: string) => {
    received += chunk
    wake()
  })
  for (const event of ['error', 'end', 'close']) {
    socket.on(event, () => {
      over = true
      wake()
    })
  }

  const wire: Wire = {
    answered: 0,
    isOver: () => over,
    end: () => socket.destroy(),
    async ask(request, rest) {
      received = ''
      socket.write(request)
      void rest?.after.then(() => socket.write(rest.text))
      while (findEnd(received) === 0 && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const end = findEnd(received)
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0)
      const body = received.slice(received.indexOf('\r\n\r\n') + 4)
      if (end === 0) return { outcome: received ? 'cut' : 'silent', status, body }
      if (/^connection: close/im.test(received.slice(0, received.indexOf('\r\n\r\n')))) over = true
      wire.answered += 1
      return { outcome: 'answered', status, body }
    },
  }
  return wire
}
