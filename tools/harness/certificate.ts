import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// These functions write DER and X.509 as in RFC 5280, so that no openssl is needed.
const element = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => element(0x30, ...parts)
const bits = (content: Buffer) => element(0x03, Buffer.from([0]), content)
const time = (date: Date) =>
  element(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

const ECDSA_WITH_SHA256 = sequence(element(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = element(0x06, Buffer.from('550403', 'hex'))
const ALTERNATIVE_NAMES = element(0x06, Buffer.from('551d11', 'hex'))
const DAY_MS = 24 * 60 * 60 * 1000

export interface Certificate {
  /** In PEM, like `cert`. */
  key: string
  cert: string
}

/** Creates a self-signed certificate for localhost and 127.0.0.1, valid from yesterday to tomorrow. */
export function createCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(
    element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from('localhost')))),
  )
  const hosts = sequence(
    element(0x82, Buffer.from('localhost')),
    element(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const toBeSigned = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(ALTERNATIVE_NAMES, element(0x04, hosts)))),
  )
  const signature = bits(sign('sha256', toBeSigned, privateKey))
  const der = sequence(toBeSigned, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
