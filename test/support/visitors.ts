import { createAddress } from '../../tools/harness/client.ts'

/** Headers of a new visitor, for a site behind one proxy. */
export const createVisitor = () => ({ 'X-Forwarded-For': createAddress() })

export const BEHIND_PROXY = { TRUST_PROXY: '1' }
