import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SilentNetwork {
  port: number
  /** Drops all answers from the moment the client sends this word. */
  swallowAnswersTo(word: string): void
  /** Drops requests and answers from that moment. */
  swallow(word: string): void
  close(): void
}

/** A proxy that loses data while its connections stay open. */
export async function createSilentNetwork(serverPort: number): Promise<SilentNetwork> {
  const sockets = new Set<Socket>()
  let lostAnswers: string | undefined
  let lostRequests: string | undefined

  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    let silent = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (bytes) => {
      const has = (word?: string) => word !== undefined && bytes.includes(word)
      silent ||= has(lostAnswers) || has(lostRequests)
      if (!(silent && lostRequests)) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!silent) client.write(bytes)
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as { port: number }).port,
    swallowAnswersTo(word) {
      lostAnswers = word
    },
    swallow(word) {
      lostRequests = word
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
