// Sends a message, and survives a lost answer, an empty 502 of a proxy, a sick store and a wrong clock: docs/api.md.
import { setTimeout as wait } from 'node:timers/promises'

/** The origin of the site, such as https://www.example.ca. */
const [, , ORIGIN] = process.argv
const TEMPORARY = ['too-fast', 'unavailable', 'server-error', 'no-answer']
const MAX_TRIES = 5

async function post(message, key) {
  const headers = {
    'Content-Type': 'application/json',
    'Accept-Language': 'en',
    'Idempotency-Key': key,
  }
  const options = { method: 'POST', headers, body: JSON.stringify(message) }
  try {
    const response = await fetch(`${ORIGIN}/api/contact`, {
      ...options,
      signal: AbortSignal.timeout(20_000),
    })
    return { headers: response.headers, answer: await response.json() }
  } catch (error) {
    // The connection broke, or a proxy answered without JSON: the message may be stored or not.
    return { headers: new Headers(), answer: { code: 'no-answer', detail: String(error) } }
  }
}

async function send(message, key) {
  for (let attempt = 1; ; attempt += 1) {
    const { headers, answer } = await post(message, key)
    if (answer.reference) return answer.reference
    const { code, detail } = answer
    if (!TEMPORARY.includes(code) || attempt === MAX_TRIES) throw new Error(`${code}: ${detail}`)
    message.formStartTime = headers.get('Form-Start-Time') ?? message.formStartTime
    await wait(Number(headers.get('Retry-After') ?? 2) * 1000)
  }
}

const message = {
  firstName: 'Ann',
  lastName: 'Roy',
  email: 'ann@example.ca',
  message: 'Please call me back.',
  formStartTime: String(Date.now() - 3000),
}
console.log(await send(message, '4f0c1a52-order-17'))
