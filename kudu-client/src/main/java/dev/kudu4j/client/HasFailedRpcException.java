package dev.kudu4j.client;

/** A failure that carries the failed operation, so that it can be retried. */
public interface HasFailedRpcException {
  Operation getFailedRpc();
}
