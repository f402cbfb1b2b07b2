package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Groups of bars, one bar per side, as SVG. */
public final class BarChart {
  private static final int HEIGHT = 240;
  private static final int LEFT = 70;
  private static final int BOTTOM = 24;
  private static final int TOP = 10;
  private static final int RIGHT = 20;
  private static final int BAR = 16;
  private static final int GAP = 24;
  private static final int STEPS = 4;
  private static final String[] COLOURS = {"#1f6fb4", "#7fb2e5", "#e8a27c", "#d9541e"};

  private record Group(String name, double[] values) {
    double highest() {
      double highest = 0;
      for (double value : values) {
        highest = value > highest ? value : highest; // false for NaN
      }
      return highest;
    }
  }

  private final String title;
  private final String unit;
  private final List<String> sides;
  private final List<Group> groups = new ArrayList<>();

  /**
   * @param sides in the order of the bars
   */
  public BarChart(String title, String unit, List<String> sides) {
    this.title = title;
    this.unit = unit;
    this.sides = List.copyOf(sides);
  }

  /**
   * @param values one per side; NaN for none
   */
  public void add(String name, double... values) {
    groups.add(new Group(name, values.clone()));
  }

  public String toHtml() {
    int groupWidth = sides.size() * BAR + GAP;
    int width = LEFT + groups.size() * groupWidth + RIGHT;
    double top = Axis.roundUp(groups.stream().mapToDouble(Group::highest).max().orElse(0));
    StringBuilder html = new StringBuilder("<figure><figcaption><b>" + title + "</b>, " + unit);
    for (int side = 0; side < sides.size(); side++) {
      html.append(format(" <span style=\"color:%s\">&#9632; ", COLOURS[side]));
      html.append(sides.get(side)).append("</span>");
    }
    html.append(
        format("</figcaption><svg viewBox=\"0 0 %d %d\" width=\"%d\"", width, HEIGHT, width));
    html.append(" xmlns=\"http://www.w3.org/2000/svg\">\n");
    for (int step = 0; step <= STEPS; step++) {
      appendLevel(html, top * step / STEPS, top, width);
    }
    for (int group = 0; group < groups.size(); group++) {
      appendGroup(html, groups.get(group), LEFT + GAP / 2 + group * groupWidth, top);
    }
    return html.append("</svg></figure>\n").toString();
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP);
  }

  private static void appendLevel(StringBuilder svg, double value, double top, int width) {
    double y = y(value, top);
    svg.append(
        format(
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
            LEFT, width - RIGHT, y, y));
    appendText(svg, LEFT - 6, y + 4, "end", ComparisonTable.number(value));
  }

  private void appendGroup(StringBuilder svg, Group group, int x, double top) {
    for (int side = 0; side < sides.size(); side++) {
      double value = group.values[side];
      if (!Double.isNaN(value)) {
        double y = y(value, top);
        svg.append(
            format(
                "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>%s: %s"
                    + "</title></rect>%n",
                x + side * BAR,
                y,
                BAR - 2,
                HEIGHT - BOTTOM - y,
                COLOURS[side],
                sides.get(side),
                ComparisonTable.number(value)));
      }
    }
    appendText(svg, x + sides.size() * BAR / 2.0, HEIGHT - 6, "middle", group.name);
  }

  private static void appendText(
      StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        format(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"11\">%s</text>%n",
            x, y, anchor, text));
  }

  private static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
