import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SilentNetwork {
  port: number
  /** From the first time that the client says this word on, nothing comes back any more. */
  swallowAnswersTo(word: string): void
  /** The same, but the server does not hear it either. */
  swallow(word: string): void
  close(): void
}

/** A way to a server on which things can get lost without a connection breaking. */
export async function createSilentNetwork(serverPort: number): Promise<SilentNetwork> {
  const sockets = new Set<Socket>()
  let lostAnswers: string | undefined
  let lostQuestions: string | undefined

  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    let silent = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (bytes) => {
      const says = (word?: string) => word !== undefined && bytes.includes(word)
      silent ||= says(lostAnswers) || says(lostQuestions)
      if (!(silent && lostQuestions)) server.write(bytes)
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
      lostQuestions = word
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
