ALTER TABLE `workflow_disablement` ADD `retry_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `workflow_disablement_retry` ON `workflow_disablement` (`retry_at`);