/**
 * The services that both daemons have: {@link dev.kudu4j.server.rpc.GenericService} about the
 * process, {@link dev.kudu4j.server.rpc.ConsensusService} about its replicas.
 */
package dev.kudu4j.server.rpc;
