package dev.kudu4j.benchmarks.mixed;

import dev.kudu4j.benchmarks.report.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Line plots over the seconds of a run, as SVG. */
final class Plot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 220;
  private static final int LEFT = 70;
  private static final int BOTTOM = 24;
  private static final int TOP = 10;
  private static final int RIGHT = 20;
  private static final int STEPS = 4;
  private static final String[] COLOURS = {"#1f6fb4", "#d9541e", "#2b8a3e", "#7b4fa3"};

  private record Line(String name, ToDoubleFunction<Second> value) {}

  private final String title;
  private final String unit;
  private final List<Line> lines = new ArrayList<>();

  Plot(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /**
   * @param value NaN for none
   */
  Plot line(String name, ToDoubleFunction<Second> value) {
    lines.add(new Line(name, value));
    return this;
  }

  String toHtml(List<Second> seconds) {
    double top = Axis.roundUp(highest(seconds));
    double end = seconds.get(seconds.size() - 1).seconds();
    StringBuilder html = new StringBuilder("<figure><figcaption><b>" + title + "</b>, " + unit);
    for (int i = 0; i < lines.size(); i++) {
      html.append(" <span style=\"color:").append(COLOURS[i]).append("\">&#9632; ");
      html.append(lines.get(i).name).append("</span>");
    }
    html.append("</figcaption><svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" width=\"")
        .append(WIDTH + "\" xmlns=\"http://www.w3.org/2000/svg\">\n");
    for (int step = 0; step <= STEPS; step++) {
      appendLevel(html, top * step / STEPS, y(top * step / STEPS, top));
      double second = end * step / STEPS;
      appendText(html, x(second, end), HEIGHT - 6, "middle", Math.round(second) + " s");
    }
    for (int i = 0; i < lines.size(); i++) {
      appendLine(html, lines.get(i), COLOURS[i], seconds, top, end);
    }
    return html.append("</svg></figure>\n").toString();
  }

  private double highest(List<Second> seconds) {
    double highest = 0;
    for (Line line : lines) {
      for (Second second : seconds) {
        double value = line.value.applyAsDouble(second);
        highest = value > highest ? value : highest;
      }
    }
    return highest;
  }

  private static double x(double second, double end) {
    return LEFT + second / end * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP);
  }

  private static void appendLevel(StringBuilder svg, double value, double y) {
    svg.append(
        format(
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
            LEFT, WIDTH - RIGHT, y, y));
    appendText(svg, LEFT - 6, y + 4, "end", Verdicts.number(value));
  }

  private static void appendText(
      StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        format(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"11\">%s</text>%n",
            x, y, anchor, text));
  }

  private static void appendLine(
      StringBuilder svg, Line line, String colour, List<Second> seconds, double top, double end) {
    svg.append("<polyline fill=\"none\" stroke=\"" + colour + "\" points=\"");
    for (Second second : seconds) {
      double value = line.value.applyAsDouble(second);
      if (!Double.isNaN(value)) {
        svg.append(format("%.1f,%.1f ", x(second.seconds(), end), y(value, top)));
      }
    }
    svg.append("\"/>\n");
  }

  private static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
