package dev.kudu4j.client;

/** A failure that knows which operation failed, so that it can be tried again. */
public interface HasFailedRpcException {
  Operation getFailedRpc();
}
