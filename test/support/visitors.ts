let visitors = 0

/** For a site behind one proxy: the headers of someone who was never seen before. */
export function createVisitor(): { 'X-Forwarded-For': string } {
  visitors += 1
  return { 'X-Forwarded-For': `198.18.${visitors >> 8}.${visitors & 255}` }
}

/** The environment in which those headers tell visitors apart. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' }
