ALTER TABLE `stripe_sync_job` ADD `cursor_peers` text;--> statement-breakpoint
CREATE INDEX `stripe_customer_deleted` ON `stripe_customer` (`integration_id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `stripe_event_undone` ON `stripe_event` (`integration_id`,`received_at`) WHERE done_at IS NULL;