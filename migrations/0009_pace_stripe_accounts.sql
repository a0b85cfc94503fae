ALTER TABLE `stripe_integration` ADD `poll_from_event_id` text;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `retry_at` integer;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `release_at` integer;--> statement-breakpoint
ALTER TABLE `stripe_integration` ADD `calls_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_sync_job` ADD `page_size` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
CREATE INDEX `stripe_event_open` ON `stripe_event` (`integration_id`,`created_at`) WHERE done_at IS NULL;--> statement-breakpoint
UPDATE `stripe_integration` SET `poll_from_event_id` = `last_seen_event_id`;
