ALTER TABLE `stripe_sync_job` ADD `cursor_peers` text;--> statement-breakpoint
CREATE INDEX `stripe_customer_deleted` ON `stripe_customer` (`integration_id`) WHERE deleted_at IS NOT NULL;