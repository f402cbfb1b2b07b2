/**
 * Which tablet servers get replicas, and which lose one that is too many. Policy only: servers,
 * their load and location in, choice out.
 */
package dev.kudu4j.master.placement;
