/**
 * Chooses the tablet servers that get replicas, and the one that loses a surplus replica. Policy
 * only: the choice depends on nothing but the servers, their load and their locations.
 */
package dev.kudu4j.master.placement;
