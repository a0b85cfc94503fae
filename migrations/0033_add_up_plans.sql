ALTER TABLE `organization` ADD `limit_order` text DEFAULT 'limit' NOT NULL;--> statement-breakpoint
ALTER TABLE `plan` ADD `is_add_on` integer DEFAULT false NOT NULL;