DROP INDEX `outbox_sent`;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (sent_at + CASE WHEN attempts < 15 THEN 60000 * attempts ELSE 900000 END);