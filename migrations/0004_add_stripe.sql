CREATE TABLE `plan_product` (
	`org_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`product_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`plan_id`, `integration_id`, `product_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`plan_id`) REFERENCES `plan`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plan_product_org` ON `plan_product` (`org_id`,`integration_id`);--> statement-breakpoint
CREATE TABLE `stripe_customer` (
	`integration_id` text NOT NULL,
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`email` text,
	`name` text,
	`livemode` integer NOT NULL,
	`metadata` text NOT NULL,
	`subscriptions` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer NOT NULL,
	`facts_version` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`integration_id`, `id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_customer_org` ON `stripe_customer` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `stripe_customer_email` ON `stripe_customer` (`org_id`,`email`);--> statement-breakpoint
CREATE INDEX `stripe_customer_newest` ON `stripe_customer` (`integration_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `stripe_event` (
	`integration_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`object_id` text,
	`created_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`integration_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `stripe_event_received` ON `stripe_event` (`received_at`);--> statement-breakpoint
CREATE TABLE `stripe_integration` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`secret_key` text,
	`masked_key` text NOT NULL,
	`webhook_endpoint_id` text,
	`webhook_secret` text,
	`previous_webhook_secret` text,
	`previous_webhook_secret_until` integer,
	`webhook_manually_added` integer DEFAULT false NOT NULL,
	`initial_sync_skipped` integer DEFAULT false NOT NULL,
	`quickstart_wait_for_event_skipped` integer DEFAULT false NOT NULL,
	`quick_start` integer DEFAULT false NOT NULL,
	`first_event_at` integer,
	`last_event_at` integer,
	`last_seen_event_id` text,
	`looked_for_events_at` integer,
	`trouble` text,
	`trouble_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_integration_org` ON `stripe_integration` (`org_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `stripe_integration_account` ON `stripe_integration` (`org_id`,`account_id`,`livemode`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `stripe_product` (
	`integration_id` text NOT NULL,
	`org_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`active` integer NOT NULL,
	`livemode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer NOT NULL,
	`deleted_at` integer,
	PRIMARY KEY(`integration_id`, `id`),
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_product_newest` ON `stripe_product` (`org_id`,`integration_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `stripe_sync_job` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`created_before` integer NOT NULL,
	`cursor` text,
	`cursor_created` integer,
	`pages` integer DEFAULT 0 NOT NULL,
	`processed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`started_at` integer NOT NULL,
	`started_by_user_id` text,
	`finished_at` integer,
	`waits_until` integer,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_sync_job_integration` ON `stripe_sync_job` (`integration_id`,`type`,`started_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `stripe_sync_job_running` ON `stripe_sync_job` (`integration_id`,`type`) WHERE status = 'running';