/** Use of MAIL_PER_HOUR; times are in epoch ms. */
export interface MailQuota {
  /** Mails sent within the last hour, or being sent. */
  used: number
  /** Time when the oldest of them leaves the hour; null when there is none. */
  freeAt: number | null
}

/** Number of mails that may still go now. */
export function getAllowance({ used }: MailQuota, mailPerHour: number): number {
  return Math.max(0, mailPerHour - used)
}

/** Time until a mail that is due at `dueAt` may go, in ms. */
export function getTimeToMail(
  quota: MailQuota,
  { mailPerHour, dueAt, now }: { mailPerHour: number; dueAt: number; now: number },
): number {
  const isHeld = getAllowance(quota, mailPerHour) === 0
  return Math.max(dueAt, isHeld ? (quota.freeAt ?? now) : dueAt) - now
}

/** Mails that are due and wait because MAIL_PER_HOUR is used up. */
export function countHeld(quota: MailQuota, mailPerHour: number, due: number): number {
  return Math.max(0, due - getAllowance(quota, mailPerHour))
}
