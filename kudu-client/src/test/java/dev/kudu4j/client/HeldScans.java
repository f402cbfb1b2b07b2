package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.rpc.RpcCall;
import java.util.ArrayList;
import java.util.List;

/** Scans that answer the first requests immediately, and later requests after {@link #release}. */
final class HeldScans implements FakeTabletServer.ScanHandler {
  private final FakeScans scans;
  private final List<Runnable> held = new ArrayList<>();
  private int free;
  private boolean released;

  /**
   * @param free how many requests are answered immediately
   */
  HeldScans(FakeScans scans, int free) {
    this.scans = scans;
    this.free = free;
  }

  @Override
  public synchronized void scan(ScanRequestPB request, RpcCall call) {
    if (released || free > 0) {
      free--;
      scans.scan(request, call);
    } else {
      held.add(() -> scans.scan(request, call));
    }
  }

  /** How many requests wait for {@link #release}. */
  synchronized int held() {
    return held.size();
  }

  /** Answers the waiting requests, and from now on all requests immediately. */
  synchronized void release() {
    released = true;
    held.forEach(Runnable::run);
    held.clear();
  }

  @Override
  public void keepAlive(ScannerKeepAliveRequestPB request, RpcCall call) {
    scans.keepAlive(request, call);
  }

  @Override
  public void split(SplitKeyRangeRequestPB request, RpcCall call) {
    scans.split(request, call);
  }
}
