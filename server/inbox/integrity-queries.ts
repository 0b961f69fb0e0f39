/** What must never be, as queries for references; they say the same to every store. */
export const CONTRADICTIONS: Record<string, string> = {
  'message without an outbox row': `
    SELECT reference FROM messages
    WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.reference = messages.reference)`,
  'outbox row without a message': `
    SELECT reference FROM outbox
    WHERE NOT EXISTS (SELECT 1 FROM messages WHERE messages.reference = outbox.reference)`,
  'new, but not queued': `
    SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status = 'new' AND due_at IS NULL`,
  'queued, but not new': `
    SELECT reference FROM messages JOIN outbox USING (reference)
    WHERE status <> 'new' AND due_at IS NOT NULL`,
}

/** How many of a kind are told. */
export const MOST_CONTRADICTIONS = 100
