CREATE TABLE `webhook` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`environment_ids` text,
	`types` text,
	`sealed_secret` text NOT NULL,
	`sealed_former` text,
	`former_until` integer,
	`disabled_because` text,
	`failing_since` integer,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_org` ON `webhook` (`org_id`);--> statement-breakpoint
CREATE TABLE `webhook_delivery` (
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`org_id` text NOT NULL,
	`type` text NOT NULL,
	`environment_id` text,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`last_at` integer,
	`status` integer,
	`took_ms` integer,
	`answer` text,
	`problem` text,
	PRIMARY KEY(`webhook_id`, `event_id`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhook`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_delivery_due` ON `webhook_delivery` (`next_at`) WHERE next_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_delivery_created` ON `webhook_delivery` (`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_state` ON `webhook_delivery` (`webhook_id`,`state`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_org` ON `webhook_delivery` (`org_id`);